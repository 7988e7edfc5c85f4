// Evaluates single operations over registers.

import type { ElementaryFunctions } from "../../base/wasm/elementary.js";
import {
  evaluateArithmetic,
  evaluateLogic,
  isElementary,
  isLogic,
  Operation,
} from "./operations.js";

/**
 * Evaluates an operation on registers a, b and c into another. Tables are not supported. Helper functions are called only
 * if needed.
 */
export function evaluate(
  operation: Operation,
  registers: Float64Array,
  out: number,
  a: number,
  b: number,
  c: number,
  functions: ElementaryFunctions | undefined,
): void {
  if (isElementary(operation)) evaluateElementary(functions!, operation, registers, out, a, b);
  else if (isLogic(operation)) evaluateLogic(operation, registers, out, a, b);
  else evaluateArithmetic(operation, registers, out, a, b, c);
}

/** Elementary functions, by the module whose results have the same bits on every machine. */
function evaluateElementary(
  functions: ElementaryFunctions,
  operation: Operation,
  registers: Float64Array,
  out: number,
  a: number,
  b: number,
): void {
  switch (operation) {
    case Operation.Sin:
      registers[out] = functions.sin(registers[a]!);
      break;
    case Operation.Cos:
      registers[out] = functions.cos(registers[a]!);
      break;
    case Operation.Tan:
      registers[out] = functions.tan(registers[a]!);
      break;
    case Operation.Asin:
      registers[out] = functions.asin(registers[a]!);
      break;
    case Operation.Acos:
      registers[out] = functions.acos(registers[a]!);
      break;
    case Operation.Atan:
      registers[out] = functions.atan(registers[a]!);
      break;
    case Operation.Sinh:
      registers[out] = functions.sinh(registers[a]!);
      break;
    case Operation.Cosh:
      registers[out] = functions.cosh(registers[a]!);
      break;
    case Operation.Tanh:
      registers[out] = functions.tanh(registers[a]!);
      break;
    default:
      evaluatePower(functions, operation, registers, out, a, b);
  }
}

/** Powers and their inverses, and functions of two arguments. */
function evaluatePower(
  functions: ElementaryFunctions,
  operation: Operation,
  registers: Float64Array,
  out: number,
  a: number,
  b: number,
): void {
  switch (operation) {
    case Operation.Exp:
      registers[out] = functions.exp(registers[a]!);
      break;
    case Operation.Log:
      registers[out] = functions.log(registers[a]!);
      break;
    case Operation.Log10:
      registers[out] = functions.log10(registers[a]!);
      break;
    case Operation.Cbrt:
      registers[out] = functions.cbrt(registers[a]!);
      break;
    case Operation.Atan2:
      registers[out] = functions.atan2(registers[a]!, registers[b]!);
      break;
    case Operation.Hypot:
      registers[out] = functions.hypot(registers[a]!, registers[b]!);
      break;
    case Operation.Power:
      registers[out] = functions.pow(registers[a]!, registers[b]!);
      break;
  }
}
