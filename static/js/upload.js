// The upload form with drag and drop. Without this file the same form works by its plain fields.

const form = document.querySelector("form[data-upload]");

/** A text about the strategy, by its name. */
const isText = (file) => /\.(txt|md|text)$/i.test(file.name);

/** Put files into an <input type=file>, as if they had been chosen there. */
function choose(input, files) {
  const list = new DataTransfer();
  for (const file of files) list.items.add(file);
  input.files = list.files;
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`;
}

function start() {
  const zone = form.querySelector("[data-dropzone]");
  const source = form.querySelector("input[name=source]");
  const strategy = form.querySelector("input[name=strategy]");
  const chosen = form.querySelector("[data-chosen]");
  const limit = Number(form.dataset.limit) * 1024;

  /** Say what is going to be sent, and at once when it cannot be right. */
  function describe() {
    const lines = [...source.files].map((file) => {
      const remark = file.size > limit ? `, too large: at most ${size(limit)}` : file.size === 0 ? ", empty" : "";
      return `${file.name} (${size(file.size)}${remark})`;
    });
    for (const file of strategy.files) lines.push(`${file.name} (strategy, ${size(file.size)})`);
    chosen.textContent = lines.length ? `To be uploaded: ${lines.join("; ")}` : "";
  }

  form.querySelector("[data-hint]").hidden = false;
  source.addEventListener("change", describe);
  strategy.addEventListener("change", describe);

  // Anywhere on the page a dropped file would otherwise replace the page.
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
  }
  zone.addEventListener("dragover", () => zone.classList.add("over"));
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    zone.classList.remove("over");
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    const texts = files.length > 1 ? files.filter(isText) : [];
    if (texts.length === 1) {
      choose(strategy, texts);
      strategy.closest("details").open = true;
    }
    choose(source, texts.length === 1 ? files.filter((file) => !isText(file)) : files);
    describe();
    form.querySelector("button[type=submit]").focus();
  });

  // A second click while a file is on its way would be refused as a duplicate.
  form.addEventListener("submit", () => {
    const button = form.querySelector("button[type=submit]");
    button.setAttribute("aria-busy", "true");
    setTimeout(() => (button.disabled = true));
  });
  addEventListener("pageshow", () => {
    const button = form.querySelector("button[type=submit]");
    button.disabled = false;
    button.removeAttribute("aria-busy");
  });
}

if (form) start();
