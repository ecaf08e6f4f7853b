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

/** Folders that tools make. One empty file stands for what is in them, so that the portal says what it left out. */
const MADE = new Set(["__pycache__", "__MACOSX"]);
const isMade = (name) => name.startsWith(".") || MADE.has(name);
const trace = (path) => [path, new File([], path.split("/").at(-1))];
const MODULES = "node_modules/";
const MOST = 400; // files that are sent; of others only the paths, so that the portal can say how many there are
const MOST_LISTED = 20000;

/** The files below a dropped file or folder, each with its path. */
async function below(entry, path = "") {
  const here = path + entry.name;
  if (isMade(entry.name)) return [trace(entry.isFile ? here : `${here}/pyvenv.cfg`)];
  if (entry.isFile) return [[here, await new Promise((done, failed) => entry.file(done, failed))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length || found.length > MOST_LISTED) return found;
    for (const child of some) found.push(...(await below(child, `${here}/`)));
  }
}

/** Whether a tool may have made what lies there: the portal decides. */
const isDoubtful = ([path]) => /(^|\/)(target|build|dist|out|bin|obj|v?env|debug|release|x64)\//i.test(path);

/** Pairs of path and file without the contents of what no program needs, with the shallow ones first, and the doubtful
 * ones last. */
function needed(pairs) {
  const needsModules = pairs.some(([path]) => /\.[cm]?js$/i.test(path) && !path.includes(MODULES));
  const found = [];
  const traced = new Set();
  for (const [path, file] of pairs) {
    const parts = path.split("/");
    const at = parts.findIndex(isMade);
    const of = parts.indexOf("node_modules");
    const left = at >= 0 && at < parts.length - 1 ? at : !needsModules && of >= 0 ? of : -1;
    const folder = parts.slice(0, left + 1).join("/");
    if (left < 0) found.push([path, file]);
    else if (!traced.has(folder)) found.push(trace(`${folder}/pyvenv.cfg`));
    traced.add(folder);
  }
  const depth = (pair) => pair[0].split("/").length + 1000 * isDoubtful(pair);
  return found.sort((one, other) => depth(one) - depth(other));
}

/** Copies of files as they are now: browsers refuse to send a file that was saved again after it was chosen. */
const read = (files) =>
  Promise.all(
    files.map(async (file) => new File([await file.arrayBuffer()], file.name, { type: file.type })),
  );
const UNREADABLE = "A file could not be read. Please choose your files again.";
const MOST_MB = 64; // of an upload: beyond that the portal ends the connection

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
  let reading = null; // of the chosen files

  /** Describe what will be sent, and report obvious mistakes at once. */
  function describe() {
    const files = [...source.files];
    const lines = files.slice(0, 8).map((file) => {
      const large = files.length === 1 && file.size > limit && !/\.(zip|tar|gz|bz2|xz|tgz|tbz2?|txz)$/i.test(file.name);
      const remark = large ? `, too large: at most ${size(limit)}` : file.size === 0 ? ", empty" : "";
      return `${file.name} (${size(file.size)}${remark})`;
    });
    if (files.length > 8) lines.push(`${files.length - 8} more`);
    for (const file of strategy.files) lines.push(`${file.name} (strategy, ${size(file.size)})`);
    const clock = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
    const now = new Date().toLocaleTimeString("en-GB", clock);
    chosen.textContent = lines.length ? `To be uploaded, as saved at ${now}: ${lines.join("; ")}` : "";
    look();
  }

  /** Keep what is in the chosen files now, and describe them. */
  function keep() {
    const all = [...source.files, ...strategy.files];
    if (all.reduce((sum, file) => sum + file.size, 0) > MOST_MB * 1024 * 1024) {
      source.value = "";
      reading = null;
      chosen.textContent =
        `This is too large: an upload may have ${MOST_MB} MB. ` +
        "Leave out folders that tools made, such as .git, .venv and node_modules.";
      return;
    }
    const files = [source, strategy].map((input) => read([...input.files]));
    const mine = Promise.all(files)
      .then(([sources, texts]) => {
        if (mine !== reading) return; // others were chosen meanwhile
        choose(source, sources);
        choose(strategy, texts);
        describe();
      })
      .catch(() => {
        source.value = strategy.value = "";
        chosen.textContent = UNREADABLE;
      })
      .finally(() => mine === reading && (reading = null));
    reading = mine;
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
    const all = needed(pairs);
    let room = MOST_MB * 1024 * 1024;
    const sent = all.slice(0, MOST).filter((pair) => (room -= pair[1].size) >= 0 || !isDoubtful(pair));
    choose(source, sent.map(([, file]) => file));
    paths.value = all.some(([path]) => path.includes("/")) ? JSON.stringify(all.map(([path]) => path)) : "";
    forget();
    keep();
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
    keep();
  });
  strategy.addEventListener("change", keep);
  form.querySelector("select[name=language]").addEventListener("change", look);
  understood.addEventListener("change", look);

  form.querySelector("[data-folder]")?.addEventListener("click", () => {
    const picker = Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true });
    picker.addEventListener("change", () => {
      const pairs = [...picker.files].map((file) => [file.webkitRelativePath || file.name, file]);
      take(pairs);
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
    const pairs = await dropped(event.dataTransfer).catch(() => (chosen.textContent = UNREADABLE) && []);
    if (!pairs.length) return;
    const texts = pairs.length > 1 ? pairs.filter(([path, file]) => path === file.name && isText(file)) : [];
    if (texts.length === 1) {
      choose(strategy, [texts[0][1]]);
      strategy.closest("details").open = true;
    }
    take(texts.length === 1 ? pairs.filter((pair) => pair !== texts[0]) : pairs);
  });

  // A second click during an upload would be refused as a duplicate.
  form.addEventListener("submit", (event) => {
    if (reading) {
      event.preventDefault();
      reading.then(() => form.requestSubmit(submit));
      return;
    }
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
