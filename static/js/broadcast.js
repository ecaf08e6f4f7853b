// Follows a game in progress. This is the only script that knows how the server tells it (contest/broadcast/feed.py).
//
//   follow(address, { film, piece, note, over, lost, state })
//
//   film({game, ply, over, film, notes})   everything so far: at the start, and again after something was missed
//   piece(piece)       what is new; returns false if something before it is missing
//   note({name, data}) something that is no event of the game, for the seat that follows
//   over({game, next}) the game is over, and perhaps another one of the match follows
//   lost()             it may be followed no more, or there is nothing to follow: the page knows why
//   state(connected)   whether the connection stands
//
// A stream is open only while its page is to be seen: a browser has six connections to a server, and pages of
// other windows need some of them.

const AGAIN = 4000; // milliseconds before the next try after the server has refused
const TRIES = 5; // times that a server may refuse before the page is asked what is wrong

export function follow(address, handlers) {
  let source = null;
  let refused = 0;
  let timer = 0;
  let ended = false;

  function open() {
    if (source || ended || document.hidden) return;
    source = new EventSource(address);
    source.onopen = () => {
      refused = 0;
      handlers.state?.(true);
    };
    source.onerror = () => {
      handlers.state?.(false);
      if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      close();
      if (++refused >= TRIES) return lost();
      timer = setTimeout(open, AGAIN * Math.random() + AGAIN);
    };
    on("film", (data) => handlers.film(data));
    on("piece", (data) => {
      if (handlers.piece(data) === false) anew();
    });
    on("note", (data) => handlers.note?.(data));
    on("over", (data) => {
      end();
      handlers.over(data);
    });
    on("lost", lost);
  }

  function on(name, handle) {
    const own = source;
    own.addEventListener(name, (event) => {
      if (own === source) handle(JSON.parse(event.data));
    });
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  /** Begin again: the server sends everything to whoever knows nothing. */
  function anew() {
    close();
    open();
  }

  function end() {
    ended = true;
    close();
  }

  function lost() {
    if (ended) return;
    end();
    handlers.lost();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  open();
  return end;
}
