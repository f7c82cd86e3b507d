/**
 * The first format of a page makes the browser load its tables of languages and time zones, for as
 * long as a tenth of a second on a phone. That happens here while the other scripts download.
 */
new Intl.DateTimeFormat(undefined, { timeZoneName: "short" }).format();
new Intl.NumberFormat().format(0);
