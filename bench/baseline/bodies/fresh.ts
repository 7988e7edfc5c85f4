// Engines compile a function once for all the closures made of it. Where there has been only one,
// they take what it closes over for constants: where the memory lies, how long it is. From the
// second mechanism on they do not, and the same code takes half as long again (V8 11). So each
// mechanism gets a copy of the code: made from its text, it is another function to the engine.

let copies = 0;

/** A copy of a function that uses nothing but its arguments and globals. */
export function fresh<T extends (...given: never[]) => unknown>(make: T): T {
  // Engines keep what they made of a text. The number makes it another text.
  return new Function(`/* ${copies++} */ return ${make}`)() as T;
}
