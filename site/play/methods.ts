// Available methods and the compatibility of their parts.

import {
  estimatesError,
  ModelFileError,
  methodNames,
  parseMethod,
  readDocument,
} from "nodrift/files";
import type { MethodKind, Methods } from "./protocol.js";

/** Returns all parts of methods. */
export function methodList(): Methods {
  return methodNames().map((name) => {
    const kind = kindOf(name);
    const isWhole = kind === "integrator" || kind === "coupled";
    return { name, kind, isAdaptive: isWhole && estimatesError(parseMethod(name)) };
  });
}

function kindOf(name: string): MethodKind {
  const whole = attempt(() => parseMethod(name));
  if (whole) return "integrator" in whole ? "integrator" : "coupled";
  const { method } = parseMethod(`${name} + rk4`) as { readonly method: object };
  return "stabilisation" in method ? "stabilisation" : "formulation";
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Returns the reason for each integrator that is incompatible with the other parts of a method. */
export function judge(parts: readonly string[]): Readonly<Record<string, string>> {
  const integrators = methodNames().filter((name) => kindOf(name) === "integrator");
  const reasons = integrators.flatMap((name) => {
    const reason = refusal([...parts, name].join(" + "));
    return reason === undefined ? [] : [[name, reason] as const];
  });
  return Object.fromEntries(reasons);
}

/** A mechanism for which methods are checked: what they need of one is the same for all. */
const BODY = { name: "body", mass: 1, inertia: [1, 1, 1] } as const;

function refusal(method: string): string | undefined {
  try {
    readDocument({
      name: "model",
      bodies: [BODY],
      solve: { span: [0, 1], step: 1e-3, method },
    } as never);
    return undefined;
  } catch (error) {
    if (!(error instanceof ModelFileError)) return (error as Error).message;
    return error.problems.find(({ pointer }) => pointer === "/solve/method")?.message;
  }
}
