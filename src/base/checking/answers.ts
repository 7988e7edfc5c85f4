// Error messages for methods that an object lacks: a user who looks for `linearize` in a model learns where to find
// it.

import { NodriftError } from "../errors.js";
import { british, type meant } from "./suggest.js";

/** Objects of users' programs, and the functions that create them. */
const MAKERS = {
  model: "model()",
  system: "await compile(model)",
  simulation: "system.simulate({ step })",
  solution: "solve(system, { span })",
} as const;

/** Advice for names that users seek in one of these objects and that belong to another object or to a function. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  simulate: "system.simulate({ step })",
  solve: "solve(system, { span })",
  integrate: "solve(system, { span })",
  run: "solve(system, { span }), or simulation.runTo(time)",
  runto: "simulation.runTo(time)",
  step: "simulation.advance()",
  advance: "simulation.advance()",
  linearise: "linearise(simulation) of nodrift/bodies",
  eigenvalues: "linearise(simulation) of nodrift/bodies",
  modes: "linearise(simulation) of nodrift/bodies",
  equilibrium: "equilibrium(system) of nodrift/bodies",
  statics: "equilibrium(system) of nodrift/bodies",
  inversedynamics:
    "jointSpace(simulation).inverseDynamics({ ... }), or simulation.inverseDynamics()",
  inversekinematics: "simulation.setCoordinates({ joint: angle }), which closes loops",
  setangle: "simulation.setCoordinates({ joint: angle })",
  getposition: "simulation.body(name).position",
  position: "simulation.body(name).position",
  velocity: "simulation.body(name).velocity",
  forwardkinematics: "simulation.body(name).position",
  reactions: "simulation.joint(name).force()",
  jacobian: "jointSpace(simulation).pointJacobian(body, point)",
  jointspace: "jointSpace(simulation)",
  massmatrix: "jointSpace(simulation).massMatrix()",
  energy: "simulation.energy()",
  reset: "simulation.restore(saved), with saved = simulation.save() at the start",
  at: "solution.at(time)",
  interpolate: "solution.at(time)",
  tocsv: "solution.toCsv()",
  contact: "model.stop({ joint, ... }), which limits a joint: shapes do not collide",
  collision: "model.stop({ joint, ... }), which limits a joint: shapes do not collide",
  addbody: "model.body({ name, mass, ... })",
  addjoint: "model.revolute({ between, at, axis }), or another joint",
  addforce: "model.pointForce({ body, at, force }), or another force",
  animate: "report(solution) of nodrift/report, or view(element, source) of nodrift/view",
  render: "view(element, source) of nodrift/view",
  plot: "report(solution) of nodrift/report",
};

/** Names that JavaScript runtimes read from any object. */
const RUNTIME_NAMES = ["then", "toJSON", "constructor"];

/**
 * Returns a prototype whose missing methods throw advice, if their names are known from another object or as a
 * synonym. Other names are undefined, as usual. Only objects that inherit from `of` get advice.
 */
export function answering(
  kind: keyof typeof MAKERS,
  known: readonly string[],
  find: typeof meant = sameWord,
  of: object = Object.prototype,
): object {
  return new Proxy(Object.create(Object.prototype), {
    get(target, name, receiver) {
      const isOwn = typeof name === "string" && Object.prototype.isPrototypeOf.call(of, receiver);
      if (!isOwn || name in target || RUNTIME_NAMES.includes(name))
        return Reflect.get(target, name, receiver);
      const answer = answerTo(kind, name, known, find);
      if (answer === undefined) return undefined;
      return () => {
        throw new NodriftError("DESCRIPTION", `${kind}: there is no method ${name}: ${answer}`);
      };
    },
  });
}

/** Installs such advice for all objects of a class, behind its base class, whose other objects give none. */
export function answerMissing(kind: keyof typeof MAKERS, own: object, base = own): void {
  const names = [own, base].flatMap((each) => Object.getOwnPropertyNames(each));
  Object.setPrototypeOf(base, answering(kind, names, sameWord, own));
}

/** Only spelling variants: programs may read other missing names to find out what an object is. */
function sameWord(name: unknown, known: readonly string[]): string | undefined {
  const word = british(String(name)).toLowerCase();
  return known.find((one) => one.toLowerCase() === word);
}

function answerTo(
  kind: keyof typeof MAKERS,
  name: string,
  known: readonly string[],
  find: typeof meant,
): string | undefined {
  const key = british(name).toLowerCase();
  const elsewhere = Object.hasOwn(ELSEWHERE, key) ? ELSEWHERE[key]! : undefined;
  if (elsewhere === undefined || known.includes(british(name))) {
    const near = find(name, known);
    return near && `did you mean ${near}?`;
  }
  const others = Object.entries(MAKERS).filter(([object]) => object !== kind && object !== "model");
  const makers = others.filter(([object]) => new RegExp(`\\b${object}[.,)]`).test(elsewhere));
  const needed = makers.map(([object, maker]) => `${object} = ${maker}`).join(" and ");
  return `write ${elsewhere}${needed && `, where ${needed}`}`;
}
