import { describe, expect, test } from "vitest";
import { extensionsIn, lonelyBases, lonelyBasesIn } from "../bench/support/classes.js";
import { codeOf } from "../bench/support/sources.js";

describe("a base class", () => {
  test("has more than one subclass, or is a part that others hold", () => {
    expect(lonelyBases()).toEqual([]);
  });

  test("is seen at all", () => {
    expect(extensionsIn(codeOf("src/describe/joints/joint-builder.ts"))).toEqual([
      { base: "Checker", child: "JointBuilder" },
    ]);
  });

  test("with one subclass is found, in whatever way that is written", () => {
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

  test("with two subclasses, without any or from elsewhere is none of these", () => {
    const base = "class Base {}";
    expect(lonelyBasesIn([base])).toEqual([]);
    expect(lonelyBasesIn([base, "class A extends Base {}", "class B extends Base {}"])).toEqual([]);
    expect(lonelyBasesIn([base, "class A extends Error {}"])).toEqual([]);
    expect(lonelyBasesIn([base, "class A<T extends Base> {}"])).toEqual([]);
    expect(lonelyBasesIn([base, "interface A extends Base {}"])).toEqual([]);
  });
});
