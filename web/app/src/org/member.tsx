export function OrgMembers() { return <p>OrgMembers</p>; }
