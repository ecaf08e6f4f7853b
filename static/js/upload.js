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

/** Folders that tools make. They are left out before anything is sent, as the portal does with the rest. */
const MADE = new Set(["node_modules", "__pycache__", "__MACOSX"]);
const isMade = (path) => path.split("/").some((part) => part.startsWith(".") || MADE.has(part));
const MOST = 400; // files of a dropped folder that are looked at

/** The files below a dropped file or folder, each with its path. */
async function below(entry, path = "") {
  const here = path + entry.name;
  if (isMade(here)) return [];
  if (entry.isFile) return [[here, await new Promise((done, failed) => entry.file(done, failed))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length || found.length > MOST) return found.slice(0, MOST);
    for (const child of some) found.push(...(await below(child, `${here}/`)));
  }
}

/** What was dropped, as pairs of path and file. */
async function dropped(transfer) {
  const plain = [...transfer.files].map((file) => [file.name, file]);
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return plain;
  return (await Promise.all(entries.map((entry) => below(entry)))).flat();
}

function start() {
  const zone = form.querySelector("[data-dropzone]");
  const source = form.querySelector("input[name=source]");
  const strategy = form.querySelector("input[name=strategy]");
  const paths = form.querySelector("input[name=paths]");
  const kept = form.querySelector("input[name=kept]");
  const chosen = form.querySelector("[data-chosen]");
  const understood = form.querySelector("[data-understood]");
  const submit = form.querySelector("button[type=submit]");
  const limit = Number(form.dataset.limit) * 1024;
  let asked = 0;

  /** Describe what will be sent, and report obvious mistakes at once. */
  function describe() {
    const files = [...source.files];
    const lines = files.slice(0, 8).map((file) => {
      const remark = file.size > limit ? `, too large: at most ${size(limit)}` : file.size === 0 ? ", empty" : "";
      return `${file.name} (${size(file.size)}${remark})`;
    });
    if (files.length > 8) lines.push(`${files.length - 8} more`);
    for (const file of strategy.files) lines.push(`${file.name} (strategy, ${size(file.size)})`);
    chosen.textContent = lines.length ? `To be uploaded: ${lines.join("; ")}` : "";
    look();
  }

  /** Ask the portal what it takes the files for: language, entry, tree, and what is wrong. */
  async function look() {
    const number = ++asked;
    if (!source.files.length && !kept.value) {
      understood.replaceChildren();
      return;
    }
    const body = new FormData(form);
    body.set("look", "1");
    let answer;
    try {
      answer = await fetch(form.action, { method: "POST", body });
    } catch {
      return; // the upload itself will tell
    }
    const type = answer.headers.get("Content-Type") ?? "";
    if (number !== asked || !answer.ok || answer.redirected || !type.startsWith("text/html")) return;
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (number === asked) understood.replaceChildren(...parsed.body.childNodes);
  }

  /** Take these pairs of path and file as the source. */
  function take(pairs) {
    choose(source, pairs.map(([, file]) => file));
    paths.value = pairs.some(([path]) => path.includes("/")) ? JSON.stringify(pairs.map(([path]) => path)) : "";
    forget();
    describe();
    submit.focus();
  }

  /** New files replace what the form has kept of earlier ones. */
  function forget() {
    kept.value = "";
    understood.replaceChildren();
  }

  form.querySelector("[data-hint]").hidden = false;
  source.addEventListener("change", () => {
    paths.value = "";
    forget();
    describe();
  });
  strategy.addEventListener("change", describe);
  form.querySelector("select[name=language]").addEventListener("change", look);
  understood.addEventListener("change", look);

  form.querySelector("[data-folder]")?.addEventListener("click", () => {
    const picker = Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true });
    picker.addEventListener("change", () => {
      const pairs = [...picker.files].map((file) => [file.webkitRelativePath || file.name, file]);
      take(pairs.filter(([path]) => !isMade(path)).slice(0, MOST));
    });
    picker.click();
  });

  // Otherwise a file dropped anywhere would replace the page.
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
  }
  zone.addEventListener("dragover", () => zone.classList.add("over"));
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", async (event) => {
    zone.classList.remove("over");
    const pairs = await dropped(event.dataTransfer);
    if (!pairs.length) return;
    const texts = pairs.length > 1 ? pairs.filter(([path, file]) => path === file.name && isText(file)) : [];
    if (texts.length === 1) {
      choose(strategy, [texts[0][1]]);
      strategy.closest("details").open = true;
    }
    take(texts.length === 1 ? pairs.filter((pair) => pair !== texts[0]) : pairs);
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
