export function BasePage() { return <p>BasePage</p>; }
