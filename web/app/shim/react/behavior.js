import { options } from "preact";

// What the application and its libraries expect of React, where Preact does otherwise (docs/decisions/0074-preact.md).

// Effects run before the next event, as those of a click or a key do with React. Preact runs them after the next frame,
// and what happens in between, as the second half of a double click, would find listeners of the time before.
options.requestAnimationFrame = queueMicrotask;

const known = new WeakSet();
const next = options.vnode;

// An element with autoFocus gets the focus when it comes into the page. Browsers do that once for each page.
options.vnode = (node) => {
  const { type, props, ref } = node;
  if (typeof type === "string" && props.autoFocus) {
    props.autoFocus = undefined;
    node.ref = (element) => {
      if (element && !known.has(element)) {
        known.add(element);
        element.focus();
      }
      if (typeof ref === "function") return ref(element);
      if (ref) ref.current = element;
      return undefined;
    };
  }
  next?.(node);
};
