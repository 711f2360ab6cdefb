// What is wider than the page can be scrolled with the keyboard, also when it stood in a closed fold.

(() => {
  "use strict";
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  const wide = "article pre, article .pst-scrollable-table-container, article div.math";
  document.querySelectorAll(wide).forEach((one) => watch.observe(one));
})();
