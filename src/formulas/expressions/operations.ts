// Operations of formulas and their evaluation. Numbers stay in an array of registers: passed to or returned by a function
// that is not inlined, each would be boxed as an object.
//
// All results have the same bits on every machine: sums, products, quotients and square roots are rounded in one way only,
// the other operations here are exact, and elementary functions come from a separate module.

/** The order matters: `Less` is the first of logic, `Sin` the first of elementary functions. */
export enum Operation {
  Constant,
  Slot,
  Table,
  Add,
  Subtract,
  Multiply,
  Divide,
  Negate,
  IntegerPower,
  SquareRoot,
  Absolute,
  Sign,
  Floor,
  Ceil,
  Modulo,
  Minimum,
  Maximum,
  Select,
  Less,
  LessOrEqual,
  Equal,
  Different,
  And,
  Or,
  Not,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Exp,
  Log,
  Log10,
  Cbrt,
  Atan2,
  Hypot,
  Power,
}

/** Function names of operations; elementary ones have the same names in their module. */
export const FUNCTION_NAMES: Partial<Record<Operation, string>> = {
  [Operation.SquareRoot]: "sqrt",
  [Operation.Absolute]: "abs",
  [Operation.Sign]: "sign",
  [Operation.Floor]: "floor",
  [Operation.Ceil]: "ceil",
  [Operation.Modulo]: "mod",
  [Operation.Minimum]: "min",
  [Operation.Maximum]: "max",
  [Operation.Sin]: "sin",
  [Operation.Cos]: "cos",
  [Operation.Tan]: "tan",
  [Operation.Asin]: "asin",
  [Operation.Acos]: "acos",
  [Operation.Atan]: "atan",
  [Operation.Sinh]: "sinh",
  [Operation.Cosh]: "cosh",
  [Operation.Tanh]: "tanh",
  [Operation.Exp]: "exp",
  [Operation.Log]: "log",
  [Operation.Log10]: "log10",
  [Operation.Cbrt]: "cbrt",
  [Operation.Atan2]: "atan2",
  [Operation.Hypot]: "hypot",
  [Operation.Power]: "pow",
};

export function isLogic(operation: Operation): boolean {
  return operation >= Operation.Less && operation < Operation.Sin;
}

export function isElementary(operation: Operation): boolean {
  return operation >= Operation.Sin;
}

/** Evaluates an operation that is neither logic nor elementary, from registers a, b and c into another. */
export function evaluateArithmetic(
  operation: Operation,
  registers: Float64Array,
  out: number,
  a: number,
  b: number,
  c: number,
): void {
  switch (operation) {
    case Operation.Add:
      registers[out] = registers[a]! + registers[b]!;
      break;
    case Operation.Subtract:
      registers[out] = registers[a]! - registers[b]!;
      break;
    case Operation.Multiply:
      registers[out] = registers[a]! * registers[b]!;
      break;
    case Operation.Divide:
      registers[out] = registers[a]! / registers[b]!;
      break;
    case Operation.Negate:
      registers[out] = -registers[a]!;
      break;
    case Operation.IntegerPower:
      registers[out] = integerPower(registers[a]!, registers[b]!);
      break;
    case Operation.SquareRoot:
      registers[out] = Math.sqrt(registers[a]!);
      break;
    case Operation.Select:
      registers[out] = registers[a] !== 0 ? registers[b]! : registers[c]!;
      break;
    default:
      evaluatePiecewise(operation, registers, out, a, b);
  }
}

/** Piecewise linear operations. All are exact except for the sum in the modulo. */
function evaluatePiecewise(
  operation: Operation,
  registers: Float64Array,
  out: number,
  a: number,
  b: number,
): void {
  switch (operation) {
    case Operation.Absolute:
      registers[out] = Math.abs(registers[a]!);
      break;
    case Operation.Sign:
      registers[out] = Math.sign(registers[a]!);
      break;
    case Operation.Floor:
      registers[out] = Math.floor(registers[a]!);
      break;
    case Operation.Ceil:
      registers[out] = Math.ceil(registers[a]!);
      break;
    case Operation.Modulo:
      registers[out] = modulo(registers[a]!, registers[b]!);
      break;
    case Operation.Minimum:
      registers[out] = Math.min(registers[a]!, registers[b]!);
      break;
    case Operation.Maximum:
      registers[out] = Math.max(registers[a]!, registers[b]!);
      break;
  }
}

/** Comparisons and logical operations, with results 1 or 0. Every value except 0 counts as true. */
export function evaluateLogic(
  operation: Operation,
  registers: Float64Array,
  out: number,
  a: number,
  b: number,
): void {
  registers[out] = isTrue(operation, registers, a, b) ? 1 : 0;
}

function isTrue(operation: Operation, registers: Float64Array, a: number, b: number): boolean {
  switch (operation) {
    case Operation.Less:
      return registers[a]! < registers[b]!;
    case Operation.LessOrEqual:
      return registers[a]! <= registers[b]!;
    case Operation.Equal:
      return registers[a] === registers[b];
    case Operation.Different:
      return registers[a] !== registers[b];
    case Operation.And:
      return registers[a] !== 0 && registers[b] !== 0;
    case Operation.Or:
      return registers[a] !== 0 || registers[b] !== 0;
    default:
      return registers[a] === 0;
  }
}

/** x^n by products, which keeps the sign of x. */
function integerPower(x: number, n: number): number {
  let product = 1;
  for (let i = Math.abs(n); i > 0; i--) product *= x;
  return n < 0 ? 1 / product : product;
}

/** a - b floor(a / b), but from the exact remainder: between 0 and b, with the sign of b. */
function modulo(a: number, b: number): number {
  const remainder = a % b;
  return remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder;
}
