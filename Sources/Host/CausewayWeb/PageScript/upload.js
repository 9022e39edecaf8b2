// Sends a file separately from the actions, and shows the progress.
import { pause, reader, session, text } from "./page.js";
import { reconnect } from "./status.js";

export let uploads = 0; // The number of uploads in progress.

// Posts the file of a control to the path in `data-upload`, and returns the answer's JSON. `{path}`
// in it stands for a value of the state or of the row. A `progress` element with
// `data-upload-progress` in the same form or parent shows the progress.
export async function upload(control, element, item) {
  const value = (_, path) => encodeURIComponent(text(reader(path)(item)));
  const address = element.dataset.upload.replace(/\{(.+?)\}/g, value);
  const file = control.files?.[0];
  const place = control.closest("form") ?? control.parentElement;
  const progress = place.querySelector("progress[data-upload-progress]");
  const show = (part) => {
    if (progress) Object.assign(progress, { hidden: part === null, max: 1, value: part ?? 0 });
  };
  if (!file) throw new Error("");
  element.setAttribute("aria-busy", "true");
  uploads += 1;
  try {
    for (let attempts = 1; ; attempts += 1) {
      show(0);
      const own = session;
      const { status, response } = await post(address, file, own, show);
      if (status >= 200 && status < 300) return response;
      // The session had ended, so the server has not read the file.
      const isLate = response?.code === "unknown-session" && attempts < 3;
      if (!isLate || !(await hasRenewed(own))) throw new Error(problem(status, response));
    }
  } finally {
    uploads -= 1;
    show(null);
    element.removeAttribute("aria-busy");
  }
}
const post = (address, file, session, show) => new Promise((done) => {
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.responseType = "json";
  request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
  request.setRequestHeader("Causeway-Session", session);
  request.setRequestHeader("Causeway-File-Name", encodeURIComponent(file.name));
  request.upload.onprogress = ({ loaded, total }) => show(total > 0 ? loaded / total : 0);
  request.onloadend = () => done(request);
  request.send(file);
});
// Whether the page has a new session in place of one that has ended, after at most 30 seconds.
async function hasRenewed(old) {
  if (session === old) reconnect();
  for (let waits = 0; session === old && waits < 300; waits += 1) await pause(100);
  return session !== old;
}
function problem(status, response) {
  if (response?.code === "unknown-session" || [0, 502, 503, 504].includes(status)) {
    return "The connection was lost before the file had arrived. Please send it again.";
  }
  return response?.detail ?? "The file could not be sent.";
}
