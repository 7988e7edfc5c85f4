type Floats = Float64Array<ArrayBuffer>;

/** The arrays of an equation system, as views. */
export interface EquationViews {
  readonly q: Floats;
  readonly v: Floats;
  readonly mass: Floats;
  readonly forces: Floats;
  readonly phi: Floats;
  readonly jacobian: Floats;
  readonly phiDot: Floats;
  readonly gamma: Floats;
}

/** Parts of the arrays, made once. */
export interface Parts {
  readonly phi: Floats;
  readonly jacobian: Floats;
  readonly nonholonomicJacobian: Floats;
  readonly phiDot: Floats;
  readonly nonholonomicValue: Floats;
  readonly gamma: Floats;
  readonly nonholonomicGamma: Floats;
  readonly vector: Floats;
  readonly matrix: Floats;
}

/** Cuts the arrays into what belongs to holonomic and to nonholonomic constraints. */
export function partsOf(
  views: EquationViews,
  holonomic: number,
  n: number,
  scratch: Floats,
): Parts {
  return {
    phi: views.phi.subarray(0, holonomic),
    jacobian: views.jacobian.subarray(0, holonomic * n),
    nonholonomicJacobian: views.jacobian.subarray(holonomic * n),
    phiDot: views.phiDot.subarray(0, holonomic),
    nonholonomicValue: views.phiDot.subarray(holonomic),
    gamma: views.gamma.subarray(0, holonomic),
    nonholonomicGamma: views.gamma.subarray(holonomic),
    vector: scratch.subarray(0, n),
    matrix: scratch.subarray(0, views.jacobian.length),
  };
}
