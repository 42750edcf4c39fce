export const byId = (id) => document.getElementById(id);

/** An element with these properties (`className`, `textContent`, …) and children. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
