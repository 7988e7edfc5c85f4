// Available methods and the compatibility of their parts, from the registries and checks of the package.

import { estimatesError, parseMethod } from "nodrift/files";
import { methodProblem } from "../../src/files/models/settings.js";
import { allMethods } from "../../src/methods/names/parse-method.js";
import type { Answer } from "./protocol.js";

type Methods = Extract<Answer, { kind: "ready" }>["methods"];

/** Returns all parts of methods applicable to mechanisms. */
export function methodList(): Methods {
  return [...allMethods().parts].map(([name, make]) => {
    const { kind } = make();
    const isWhole = kind === "integrator" || kind === "coupled";
    return { name, kind, isAdaptive: isWhole && estimatesError(parseMethod(name)) };
  });
}

/** Returns the reason for each integrator that is incompatible with the other parts of a method. */
export function judge(parts: readonly string[]): Readonly<Record<string, string>> {
  const integrators = methodList().filter(({ kind }) => kind === "integrator");
  const reasons = integrators.flatMap(({ name }) => {
    const reason = refusal([...parts, name].join(" + "));
    return reason === undefined ? [] : [[name, reason] as const];
  });
  return Object.fromEntries(reasons);
}

function refusal(method: string): string | undefined {
  try {
    return methodProblem(parseMethod(method), "model");
  } catch (error) {
    return (error as Error).message;
  }
}
