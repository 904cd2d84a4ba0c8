export const color = {
  byField: "By option of",
  noField: "No field",
  rules: "By conditions",
  hint: "A record has the colour of the first rule that it meets.",
  hintWithField: "A record has the colour of the first rule that it meets, and else that of its option.",
  rule: (place: number) => `Rule ${place}`,
  colorOf: (place: number) => `Colour of rule ${place}`,
  everything: "Without conditions, the rule is met by every record.",
  unfinished: "The rule is saved once all of its conditions are complete.",
  broken:
    "This rule no longer fits the fields and colours nothing. It goes with your next change unless you repair it.",
  add: "Add rule",
  up: (place: number) => `Move rule ${place} up`,
  down: (place: number) => `Move rule ${place} down`,
  remove: (place: number) => `Remove rule ${place}`,
};
