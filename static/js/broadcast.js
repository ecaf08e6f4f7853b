// Follows a game in progress: it asks again and again for what is new. This is the only script that knows how the server
// tells it (contest/broadcast/following.py).
//
//   follow(address, { film, piece, note, over, lost, state }, pause)
//
//   film({game, film, notes})  the first positions: at the start, and again when the game is told anew
//   piece(film)        the positions that follow those before; returns false if some are missing
//   note({name, data}) something that is no event of the game, for the seat that follows
//   over({game, next}) the game is over, and perhaps another one of the match follows
//   lost()             it may be followed no more, or there is nothing to follow: the page knows why
//   state(connected)   whether the server answers
//
// Nobody asks for a page that is not to be seen. Returns a function that ends it.

const PAUSE = 1000; // milliseconds between two questions
const AGAIN = 4000; // milliseconds before the next try after the server has refused
const TRIES = 5; // times that a server may refuse before the page is asked what is wrong

export function follow(address, handlers, pause = PAUSE) {
  const known = { run: "", from: 0, notes: 0 };
  let refused = 0;
  let timer = 0;
  let asking = false;
  let ended = false;

  async function ask() {
    clearTimeout(timer);
    if (asking || ended || document.hidden) return;
    asking = true;
    const wait = await look().catch(() => {
      handlers.state?.(false);
      return AGAIN / 2;
    });
    asking = false;
    if (!ended) timer = setTimeout(ask, wait);
  }

  /** Ask once. Returns after how many milliseconds to ask again. */
  async function look() {
    const url = new URL(address, location.href);
    for (const [name, value] of Object.entries(known)) url.searchParams.set(name, value);
    const answer = await fetch(url, { headers: { Accept: "application/json" } });
    if (ended) return pause;
    if (!answer.ok) {
      if (++refused >= TRIES) return lost();
      handlers.state?.(false);
      return AGAIN * Math.random() + AGAIN;
    }
    refused = 0;
    handlers.state?.(true);
    return answer.status === 204 ? pause : take(await answer.json());
  }

  function take(news) {
    if (ended) return pause;
    if (news.lost) return lost();
    const { film } = news;
    if (news.run !== known.run) {
      if (!film) return pause;
      handlers.film({ game: news.game, film, notes: news.notes });
    } else {
      if (film && handlers.piece(film) === false) {
        known.run = "";
        return 0;
      }
      for (const note of news.notes) handlers.note?.(note);
    }
    Object.assign(known, { run: news.run, notes: news.heard });
    if (film) known.from = film.from + film.length;
    if (news.over) {
      end();
      handlers.over({ game: news.game, next: news.next });
    }
    return news.more ? 0 : pause;
  }

  function end() {
    ended = true;
    clearTimeout(timer);
  }

  function lost() {
    end();
    handlers.lost();
    return pause;
  }

  document.addEventListener("visibilitychange", ask);
  window.addEventListener("pageshow", ask);
  ask();
  return end;
}
