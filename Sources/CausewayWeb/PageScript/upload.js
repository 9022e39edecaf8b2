// Sends a file separately from the actions, and shows the progress.
import { reader, session, text } from "./causeway.js";

export let uploads = 0; // The number of uploads in progress.

// Posts the file of a control to the path in `data-upload`, and returns the answer's JSON. `{path}`
// in it stands for a value of the state or of the row. A `progress` element with
// `data-upload-progress` in the same form or parent shows the progress.
export function upload(control, element, item) {
  const value = (_, path) => encodeURIComponent(text(reader(path)(item)));
  const address = element.dataset.upload.replace(/\{(.+?)\}/g, value);
  const file = control.files?.[0];
  const place = control.closest("form") ?? control.parentElement;
  const progress = place.querySelector("progress[data-upload-progress]");
  const show = (part) => {
    if (progress) Object.assign(progress, { hidden: part === null, max: 1, value: part ?? 0 });
  };
  if (!file) return Promise.reject(new Error(""));
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.responseType = "json";
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.setRequestHeader("Causeway-Session", session);
    request.setRequestHeader("Causeway-File-Name", encodeURIComponent(file.name));
    request.upload.onprogress = ({ loaded, total }) => show(total > 0 ? loaded / total : 0);
    request.onloadend = () => {
      uploads -= 1;
      show(null);
      element.removeAttribute("aria-busy");
      const { status, response } = request;
      if (status >= 200 && status < 300) done(response);
      else fail(new Error(response?.detail ?? "The file could not be sent."));
    };
    element.setAttribute("aria-busy", "true");
    uploads += 1;
    show(0);
    request.send(file);
  });
}
