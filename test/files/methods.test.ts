// Methods in words: every one of the registries, and what is said about those that make no sense.

import { coupledMethods, formulations, integrators, stabilisations } from "nodrift";
import { type CompiledModel, compile } from "nodrift/bodies";
import { estimatesError, type MethodChoice, methodNames, parseMethod } from "nodrift/files";
import { simplePendulum } from "nodrift/mechanisms";
import {
  adaptiveIntegrators,
  directFormulations,
  directMethods,
  type SolveOptions,
  solve,
} from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";

let pendulum: CompiledModel;

beforeAll(async () => {
  pendulum = await compile(simplePendulum(), { coordinates: "maximal" });
});

/** A choice in words, without the package. */
function wordsOf(choice: MethodChoice): string {
  if ("integrator" in choice) return choice.integrator.name;
  const { method } = choice;
  const extra = [method.stabilisation ?? []].flat().map(({ name }) => name);
  return "coupled" in method
    ? [method.coupled.name, ...extra].join(" + ")
    : [method.formulation.name, ...extra, method.integrator.name].join(" + ");
}

/** A few steps, as long as they need no estimate. */
function runWith(choice: MethodChoice) {
  const step = estimatesError(choice) ? {} : { step: 1e-3 };
  const options: SolveOptions<CompiledModel> = { span: [0, 0.005], ...step, ...choice };
  return solve(pendulum, options);
}

const named = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe.each([
  ["formulation", [...named(formulations), "stateSpace"], (name: string) => `${name} + rk4`],
  ["stabilisation", named(stabilisations), (name: string) => `udwadiaKalaba + ${name} + rk4`],
  ["integrator", Object.keys(integrators), (name: string) => name],
  ["adaptive integrator", Object.keys(adaptiveIntegrators), (name: string) => name],
  ["coupled method", named(coupledMethods), (name: string) => name],
  ["formulation with multipliers", named(directFormulations), (name: string) => `${name} + radau5`],
  [
    "coupled method with multipliers",
    named(directMethods.filter(({ variableSteps }) => variableSteps !== "refused")),
    (name: string) => name,
  ],
])("every %s", (_, names, textOf) => {
  test.each(names)("%s selects this method, whose name solutions report", (name) => {
    const choice = parseMethod(textOf(name));
    expect(wordsOf(choice).split(" + ")).toContain(name);
    const solution = runWith(choice);
    expect(solution.status).toBe("finished");
    expect(solution.method).toContain(name);
    const again = parseMethod(solution.method);
    expect(wordsOf(again)).toBe(solution.method);
  });

  test("appears in the list of names", () => {
    const known = new Set(methodNames());
    const listed = names.map((name) => name.replaceAll(" ", ""));
    expect(listed.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("method names", () => {
  test.each([
    ["dop853", "dop853"],
    ["  radau5 ", "radau5"],
    ["rk4", "rk4"],
    ["sdirk4", "sdirk4-15"],
    ["welch", "welch(2)"],
    ["hong + projection", "hong + projection"],
    ["projection + rk4", "udwadiaKalaba + projection + rk4"],
    ["udwadiaKalaba+projection+rk4", "udwadiaKalaba + projection + rk4"],
    ["rk4 + projection + udwadiaKalaba( cod )", "udwadiaKalaba(cod) + projection + rk4"],
    ["maggi + rk4", "maggi(qr) + rk4"],
    ["maggi(lu) + rk4", "maggi(lu) + rk4"],
    [
      "lagrange + baumgarte + projection + heun",
      "lagrange(cholesky) + baumgarte + projection + heun",
    ],
    ["baumgarte(10, 10) + rk4", "udwadiaKalaba + baumgarte + rk4"],
    ["energyVelocity(0.5) + rk4", "udwadiaKalaba + energyVelocity + rk4"],
  ])("%s", (text, words) => {
    expect(wordsOf(parseMethod(text))).toBe(words);
  });

  test("accept gains in brackets", () => {
    const endOf = (text: string) => [...runWith(parseMethod(text)).end.q];
    const gains = endOf("baumgarte(200, 100) + rk4");
    expect(endOf("baumgarte(2e+2, 1E2) + rk4")).toEqual(gains);
    expect(endOf("baumgarte(100, 200) + rk4")).not.toEqual(gains);
    // One number stands for both.
    expect(endOf("baumgarte(150) + rk4")).toEqual(endOf("baumgarte(150, 150) + rk4"));
    expect(endOf("energyDescent(0.01) + rk4")).toEqual(endOf("energyDescent(0.01, 0.01) + rk4"));
    expect(endOf("energyMultiplier(3) + rk4")).not.toEqual(endOf("energyMultiplier(0) + rk4"));
  });
});

describe("rejected methods:", () => {
  test.each([
    ["", 'method "": a name is missing'],
    ["rk4 + + projection", "a name is missing"],
    ["rk5", 'method "rk5": rk5 is not known: did you mean rk4?'],
    ["RK4 + proyection", "RK4 is not known: did you mean rk4?"],
    ["maggi(cholesky) + rk4", "maggi(cholesky) is not known"],
    ["udwadiaKalaba", 'an integrator is missing, as in "... + rk4"'],
    ["projection", "an integrator is missing"],
    ["rk4 + dop853", "give only one of: rk4, dop853"],
    ["maggi + lagrange + rk4", "give only one of: maggi(qr), lagrange(cho"],
    ["welch + rk4", "welch(2) is a complete method: remove the other parts"],
    ["welch + hong", "give only one of: welch(2), hong"],
    ["maggi + welch", "welch(2) is a complete method"],
    ["baumgarte(1, 2, 3) + rk4", 'baumgarte takes 1 or 2 numbers in its brackets, not "1,2,3"'],
    ["baumgarte() + rk4", 'baumgarte takes 1 or 2 numbers in its brackets, not ""'],
    ["baumgarte(,5) + rk4", 'not ",5"'],
    ["baumgarte(a) + rk4", 'baumgarte takes 1 or 2 numbers in its brackets, not "a"'],
    ["energyMultiplier(1, 2) + rk4", "energyMultiplier takes 1 number in its brackets"],
    ["baumgarte(-1) + rk4", "baumgarte: alpha is -1; give a number >= 0"],
    ["projection(3) + rk4", "projection(3) is not known"],
    ["constructor + rk4", "constructor is not known"],
  ])("%s", (text, words) => {
    expect(() => parseMethod(text)).toThrow(words);
  });
});

test("estimatesError recognises adaptive methods", () => {
  for (const name of Object.keys(adaptiveIntegrators)) {
    expect(estimatesError(parseMethod(name))).toBe(true);
    expect(estimatesError(parseMethod(`udwadiaKalaba + ${name}`))).toBe(true);
  }
  for (const name of Object.keys(integrators)) {
    expect(estimatesError(parseMethod(name))).toBe(false);
    expect(() => solve(pendulum, { span: [0, 1], ...parseMethod(name) })).toThrow("step");
  }
  for (const { name } of coupledMethods) expect(estimatesError(parseMethod(name))).toBe(true);
});
