// The button that changes between the device's colors, light and dark; and keys for what is scrolled.
"use strict";

const THEMES = ["auto", "light", "dark"];

/** The theme that was chosen at the last visit; browsers may forbid pages in files to remember. */
function rememberedTheme() {
  try {
    return localStorage.getItem("digitlab-theme");
  } catch (error) {
    return null;
  }
}

function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = `Colors: ${theme}`;
  try {
    localStorage.setItem("digitlab-theme", theme);
  } catch (error) {
    // It is then chosen again at the next visit.
  }
  document.dispatchEvent(new Event("themechange"));
}

document.getElementById("theme").hidden = false;
document.getElementById("theme").addEventListener("click", () => {
  showTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
});
showTheme(THEMES.includes(rememberedTheme()) ? rememberedTheme() : "auto");

/** What is wider than the window can be reached by Tab and scrolled by the arrow keys. */
function letKeysScroll() {
  for (const wide of document.querySelectorAll("figure, .scroll")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
  }
}

addEventListener("resize", letKeysScroll);
document.addEventListener("toggle", letKeysScroll, true);
letKeysScroll();
