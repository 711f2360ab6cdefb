"""Sphinx settings of the course site. It is read from the copy that ``coursesite.site.build`` makes, beside course.json."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))
COURSE = json.loads((HERE / "course.json").read_text(encoding="utf-8"))

project = COURSE["course"]
author = f"the authors of {project}"
language = "en"
extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx.ext.githubpages",
    "sphinx_copybutton",
    "sphinxext.opengraph",
    "course",
    "formulas",
    "mend",
]
templates_path = ["_templates"]
exclude_patterns = ["_static", "_ext", "docs"]

nb_execution_mode = "off"
nb_merge_streams = True
nb_output_stderr = "show"
myst_enable_extensions = [
    "dollarmath",
    "amsmath",
    "attrs_block",
    "attrs_inline",
    "colon_fence",
    "deflist",
]
myst_heading_anchors = 3
myst_links_external_new_tab = False

# formulas are set by KaTeX while the site is built (_ext/formulas.py): the browser gets HTML, a style sheet and letters
html_math_renderer = "katex"

# a copy button on code, none on what it prints
copybutton_selector = "div.cell_input div.highlight pre, div[class*=highlight-] div.highlight pre"
copybutton_exclude = ".linenos, .gp, .go"

# what a link to a page shows where it is shared: title, first words, a card drawn at build time
OWNER, _, NAME = COURSE["repository"].partition("/")
ogp_site_url = f"https://{OWNER}.github.io/{NAME}/"
html_baseurl = ogp_site_url
ogp_site_name = project
ogp_type = "article"
ogp_description_length = 180
ogp_enable_meta_description = True
ogp_social_cards = {"enable": True, "line_color": "#0072B2", "image_mini": "_static/mark.png"}

html_context = {"default_mode": "auto", "course_site": ogp_site_url}
html_additional_pages = {"404": "404.html"}
html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["course.css", "found.css", "print.css", "progress.css"]
html_js_files = [
    (name, {"defer": "defer"})
    for name in (
        "playground.js",
        "course.js",
        "wide.js",
        "search.js",
        "share.js",
        "mend.js",
        "print.js",
        "progress.js",
    )
]
html_favicon = "_static/favicon.svg"
html_use_index = False
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_last_updated_fmt = None
html_theme_options = {
    "repository_url": f"https://github.com/{COURSE['repository']}",
    "repository_branch": COURSE["branch"],
    "use_repository_button": False,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "home_page_in_toc": False,
    "search_bar_text": "Search the course",
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc.html", "mend.html"],
    "article_footer_items": ["mend.html"],
    "toc_title": "On this page",
    "navbar_persistent": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "github-dark",
    "navigation_with_keys": False,
    "extra_footer": (
        f'<p><a href="{ogp_site_url}attention-built.zip">The whole course as one zip</a>, with sound, notebooks and interactive pages, for places without a network.</p>'
        '<p>Text, figures and narration: <a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>. Code: MIT. '
        f'<a href="https://github.com/{COURSE["repository"]}">Source on GitHub</a>.</p>'
    ),
    "footer_content_items": ["extra-footer.html"],
}
