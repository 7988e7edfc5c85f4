/** Properties of most formulations: dense and exact, with differential unknowns that keep their meaning. */
export const PLAIN_FORMULATION = {
  level: "acceleration",
  survivesSingularPoses: false,
  survivesRedundantRows: true,
  needs: "dense",
  namedPositions: [],
  isApproximate: false,
  onlyForOde: false,
  index: 0,
  changesUnknowns: false,
} as const;

/** The members of a bound formulation whose unknowns are q and v, which it need not copy. */
export const STATE_AS_UNKNOWNS = {
  beginStep: () => false,
  endStep() {},
  correctAccelerations() {},
  partition: () => undefined,
} as const;

/** Properties of most stabilisations: valid for any step, without gains, energy and matrices. */
export const PLAIN_STABILISATION = {
  oneStepOnly: false,
  gainsFollowStep: false,
  needsEnergy: false,
  needsDense: false,
} as const;

/** The members of a bound stabilisation that does nothing. */
export const NO_CORRECTION = {
  restart() {},
  beginStep() {},
  correct() {},
} as const;

/** Properties of explicit one-step methods for any unknowns. */
export const PLAIN_INTEGRATOR = {
  isMultistep: false,
  isImplicit: false,
  needsVelocities: false,
  dividesSteps: false,
  highestIndex: 0,
} as const;

/** The members of a stepper that remembers no earlier steps. */
export const NO_HISTORY = { commit() {}, reset() {} } as const;

/** Properties of most coupled methods: for any rows, and without an error estimate. */
export const PLAIN_COUPLED = {
  level: "position",
  survivesSingularPoses: true,
  survivesRedundantRows: true,
  needs: "bodies",
  variableSteps: "projected",
  errorOrder: 0,
} as const;
