// A module of its own, of a few hundred bytes: turns the text of the kernels back into their bytes.
// JavaScript would do it too, but before an engine has compiled that loop the loop is over, and it
// takes longer than all else at the start.
//
// The table has, for each ASCII code, its byte or -1 - (number of the escape); then, for each code,
// its rank in the alphabet; then the escaped bytes.

import { getByte, getInteger, setByte } from "./math/slots";

const CODES: i32 = 128;

/** Decodes `length` bytes from the codes of the text. */
export function decode(
  length: i32, characters: i32, codes: usize, table: usize, out: usize,
): void {
  const ranks = table + ((<usize>CODES) << 2), others = ranks + <usize>CODES;
  let next = 0;
  for (let written = 0; written < length; written++) {
    let value = getInteger(table, getByte(codes, next++));
    if (value < 0) {
      const rank = getByte(ranks, getByte(codes, next++));
      value = getByte(others, (-1 - value) * characters + rank);
    }
    setByte(out, written, value);
  }
}
