/** Returns the reason why a function cannot be called for a number; undefined if it can. */
export function functionProblem(value: object): string | undefined {
  const tag = Object.prototype.toString.call(value);
  if (/Async/.test(tag)) return "is async; give a synchronous function";
  if (/Generator/.test(tag)) return "is a generator; give an ordinary function";
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  return isClass ? "is a class; give a function that can be called" : undefined;
}
