export function SecurityPage() { return <p>SecurityPage</p>; }
