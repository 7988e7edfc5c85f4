// Bytes as text: the other side of src/base/wasm/loader.ts.

/** Printable characters that need no escape in a string of JavaScript. */
const CHARACTERS = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  .filter((character) => !'"\\`$'.includes(character))
  .join("");
const ESCAPES = 2;

/** The text of some bytes, and the alphabet it is written in. */
export function encodeText(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const order = Array.from({ length: 256 }, (_, byte) => byte).sort(
    (a, b) => counts[b] - counts[a] || a - b,
  );
  const single = CHARACTERS.length - ESCAPES;
  const codes = new Array(256);
  order.forEach((byte, index) => {
    const rest = index - single;
    codes[byte] =
      rest < 0
        ? CHARACTERS[ESCAPES + index]
        : CHARACTERS[Math.floor(rest / CHARACTERS.length)] + CHARACTERS[rest % CHARACTERS.length];
  });
  const alphabet = {
    characters: CHARACTERS,
    escapes: ESCAPES,
    bytes: order.map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
  return { text: Array.from(bytes, (byte) => codes[byte]).join(""), alphabet };
}

/** The other side of `signatureOf` in src/base/wasm/loader.ts: FNV-1a over the sorted names. */
export function signatureOf(names) {
  let hash = 0x811c9dc5;
  for (const character of [...names].sort().join()) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return hash;
}
