// What the theme leaves out: whoever uses a keyboard can scroll what is wider than the
// page, and whoever listens to it is told what the dialog is for.
document$.subscribe(() => {
  const wide = ".md-typeset__scrollwrap, p:has(> img[src*='figures/'])";
  for (const each of document.querySelectorAll(wide)) each.tabIndex = 0;
  for (const each of document.querySelectorAll("[role=dialog]:not([aria-label])")) {
    each.setAttribute("aria-label", "Search");
  }
});
