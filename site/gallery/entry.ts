// What an entry of the gallery says besides its model file.

/** A number of the file that can be turned while the model is seen. */
export interface Slider {
  readonly label: string;
  /** Where in the file it stands. */
  readonly pointer: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly unit?: string;
  /** How it is written there, with a hash for the number: "#*t". A number alone, if not given. */
  readonly written?: string;
}

export interface Entry {
  /** Name of the file in examples/, without its ending. */
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
  /** Three sentences. */
  readonly watch: readonly [string, string, string];
  readonly sliders: readonly Slider[];
  /** Which numbers the tests compare it with. */
  readonly checked: string;
}
