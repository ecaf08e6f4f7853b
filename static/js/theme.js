// Light, dark, or the system's choice. Loaded in the head, before anything is painted; shows the button.
(() => {
  const order = ["auto", "light", "dark"];
  const names = { auto: "as the system", light: "light", dark: "dark" };
  const root = document.documentElement;

  const stored = () => {
    try {
      const value = localStorage.getItem("theme");
      return order.includes(value) ? value : "auto";
    } catch {
      return "auto";
    }
  };

  const apply = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };

  const label = (button, theme) => {
    const text = `Colours: ${names[theme]}`;
    button.setAttribute("aria-label", text);
    button.title = text;
    const use = button.querySelector("use");
    use.setAttribute("href", use.getAttribute("href").replace(/#.*$/, `#${theme}`));
  };

  apply(stored());

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    if (!button) return;
    let theme = stored();
    label(button, theme);
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // Private mode: the choice lasts as long as the page.
      }
      apply(theme);
      label(button, theme);
    });
  });
})();
