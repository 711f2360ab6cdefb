"""The course as it is read and heard: narration, interactive pages, site. Nothing here grades."""
