// Offers the browser's time zone where it tells another time than the page. It is a link: nothing changes unasked.

const link = document.querySelector("[data-zone-link]");
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (link && own && -new Date().getTimezoneOffset() !== Number(link.dataset.minutes)) {
  const address = new URL(link.href);
  address.searchParams.set("zone", own);
  link.href = address;
  link.textContent = `Show times in ${own}`;
}
