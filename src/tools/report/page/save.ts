// Pictures and films of an animation, as files.

import { button } from "./dom.js";
import type { Player } from "./player.js";
import type { Stage } from "./stage.js";

/** Pictures of a film in a second. */
const RATE = 30;
const FILM = "video/webm";

/** Buttons that save the picture, and the motion from its start to its end. */
export function saveButtons(stage: Stage, player: Player): readonly HTMLElement[] {
  const name = stage.scene.name.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-|-$/g, "") || "mechanism";
  const picture = button("Save this picture", "PNG", () => {
    stage.paint();
    stage.canvas.toBlob((blob) => blob && download(blob, `${name}.png`), "image/png");
  });
  const films =
    typeof MediaRecorder === "function" && "captureStream" in stage.canvas
      ? [filmButton(stage, player, `${name}.webm`)]
      : [];
  return [picture, ...films];
}

/** Plays once from start to end, at the speed that is set. A second press ends the film there. */
function filmButton(stage: Stage, player: Player, name: string): HTMLElement {
  let recorder: MediaRecorder | undefined;
  const made = button("Save the motion as a film", "WebM", () => {
    if (recorder?.state === "recording") {
      recorder.stop();
      return;
    }
    const parts: Blob[] = [];
    const loop = player.loop;
    recorder = new MediaRecorder(stage.canvas.captureStream(RATE), { mimeType: FILM });
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.addEventListener("stop", () => {
      player.loop = loop;
      made.textContent = "WebM";
      made.setAttribute("aria-pressed", "false");
      download(new Blob(parts, { type: FILM }), name);
    });
    made.textContent = "Stop";
    made.setAttribute("aria-pressed", "true");
    player.loop = false;
    player.seek(player.start);
    recorder.start();
    player.play();
  });
  player.listen((time) => {
    if (time >= player.end && recorder?.state === "recording") recorder.stop();
  });
  return made;
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
