// Engines compile a function once for all its closures. While there is only one closure, captured
// variables, such as the memory and its length, are treated as constants. From the second mechanism
// on they are not, and the same code takes 1.5 times as long (V8 11). So each mechanism gets a copy
// of the code, made from its text: for the engine it is another function.

let copies = 0;

/** A copy of a function that uses nothing but its arguments and globals. */
export function fresh<T extends (...given: never[]) => unknown>(make: T): T {
  // Engines cache compiled texts. The number makes the text unique.
  return new Function(`/* ${copies++} */ return ${make}`)() as T;
}
