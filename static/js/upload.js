// Drag and drop for the upload form. Without this file the form works with its plain fields.

const form = document.querySelector("form[data-upload]");

/** Whether a file's name looks like a text about the strategy. */
const isText = (file) => /\.(txt|md|text)$/i.test(file.name);

/** Put files into an <input type=file>, as if they had been chosen there. */
function choose(input, files) {
  const list = new DataTransfer();
  for (const file of files) list.items.add(file);
  input.files = list.files;
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}

function start() {
  const zone = form.querySelector("[data-dropzone]");
  const source = form.querySelector("input[name=source]");
  const strategy = form.querySelector("input[name=strategy]");
  const chosen = form.querySelector("[data-chosen]");
  const limit = Number(form.dataset.limit) * 1024;

  /** Describe what will be sent, and report obvious mistakes at once. */
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

  // Otherwise a file dropped anywhere would replace the page.
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

  // A second click during an upload would be refused as a duplicate.
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
