import { describe, expect, test } from "vitest";
import { extensionsIn, lonelyBases, lonelyBasesIn } from "./support/classes.js";
import { codeOf } from "./support/sources.js";

describe("a base class", () => {
  test("every base class has more than one subclass, or further users", () => {
    expect(lonelyBases()).toEqual([]);
  });

  test("base classes are found at all", () => {
    expect(extensionsIn(codeOf("src/model/joints/joint-builder.ts"))).toEqual([
      { base: "Checker", child: "JointBuilder" },
    ]);
  });

  test("reports a base class with one subclass, however it is written", () => {
    const base = "export abstract class Base<T> {}";
    const lonely = ["Base: Child"];
    expect(lonelyBasesIn([base, "export class Child extends Base<State> {}"])).toEqual(lonely);
    const generic =
      "class Child<T extends Map<string, () => T>>\n  extends Base<T> implements Other {}";
    expect(lonelyBasesIn([base, generic])).toEqual(lonely);
    expect(lonelyBasesIn([`${base} class Child extends Base {}`])).toEqual(lonely);
    expect(lonelyBasesIn([base, "class Child extends rooms.Base {}"])).toEqual(lonely);
    expect(lonelyBasesIn([base, "const made = new (class extends Base {})();"])).toEqual([
      "Base: (no name)",
    ]);
    const middle = [
      "class A {}",
      "class B extends A {}",
      "class C extends B {}",
      "class D extends B {}",
    ];
    expect(lonelyBasesIn(middle)).toEqual(["A: B"]);
  });

  test("accepts a class with two subclasses, with none, or from elsewhere", () => {
    const base = "class Base {}";
    expect(lonelyBasesIn([base])).toEqual([]);
    expect(lonelyBasesIn([base, "class A extends Base {}", "class B extends Base {}"])).toEqual([]);
    expect(lonelyBasesIn([base, "class A extends Error {}"])).toEqual([]);
    expect(lonelyBasesIn([base, "class A<T extends Base> {}"])).toEqual([]);
    expect(lonelyBasesIn([base, "interface A extends Base {}"])).toEqual([]);
    const child = "class A extends Base {}";
    expect(lonelyBasesIn([base, child])).toEqual(["Base: A"]);
    expect(lonelyBasesIn([base, child, "const one = new Base();"])).toEqual([]);
  });
});
