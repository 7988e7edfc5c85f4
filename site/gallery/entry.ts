// Description of a gallery entry, in addition to its model file.

/** A slider for a value of the model file. */
export interface Slider {
  readonly label: string;
  /** JSON pointer to the value in the file. */
  readonly pointer: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly unit?: string;
  /** Text written to the file, with a hash for the number: "#*t". Default: the number alone. */
  readonly written?: string;
}

export interface Entry {
  /** Name of the file in examples/, without extension. */
  readonly name: string;
  readonly title: string;
  readonly group:
    | "Papers"
    | "Linkages"
    | "Machines"
    | "Vehicles"
    | "Spinning"
    | "Chains"
    | "Control"
    | "Equations";
  /** Three sentences on what to watch. */
  readonly watch: readonly [string, string, string];
  readonly sliders: readonly Slider[];
  /** Results that the tests compare it with. */
  readonly checked: string;
}
