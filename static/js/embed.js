// Tells the page around this frame how high its content is: {kibitz: "height", height: 640}.
if (window.parent !== window) {
  const tell = () => {
    const { height } = document.querySelector("main").getBoundingClientRect();
    window.parent.postMessage({ kibitz: "height", height: Math.ceil(height) }, "*");
  };
  new ResizeObserver(tell).observe(document.querySelector("main"));
  tell();
}
