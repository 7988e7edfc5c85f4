// Number formats, the same in terminals and on pages.

export { bytes, count, counted, duration, short } from "../../report/numbers.js";
