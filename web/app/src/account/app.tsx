export function AppPage() { return <p>AppPage</p>; }
