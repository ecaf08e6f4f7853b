// A match whose first cards have not arrived: the page comes again when they do. One that waits in the queue is asked for
// now and then, while the page is to be seen.

import { follow } from "./broadcast.js";

const soon = document.querySelector("#soon");
const again = () => location.reload();
const later = (seconds) => setTimeout(() => (document.hidden ? later(seconds) : again()), 1000 * seconds);
if (soon?.dataset.follow) follow(soon.dataset.follow, { film: again, piece: again, over: again, lost: () => later(5) });
else if (soon) later(Number(soon.dataset.again));
