/** The page about backups of an organization. */
export const backup = {
  title: "Backups",
  body: [
    "Each night, every base goes as an archive into an S3 bucket of yours. Rowhouse reads it back, restores it where",
    "nobody sees it, and compares every count and hash. Admins find failures in their inbox.",
  ].join(" "),
  off: "Backups are off",
  next: (when: string) => `The next backups begin ${when}`,
  endpoint: "Endpoint",
  endpointHint: "The address of the S3 API of your provider",
  region: "Region",
  regionHint: "Empty: the provider is asked",
  bucket: "Bucket",
  prefix: "Folder",
  accessKey: "Access key",
  secretKey: "Secret key",
  secretKept: "Empty: the secret key that is stored stays",
  secretHint: "The key must be allowed to write, read and delete objects in the bucket.",
  keepDays: "Keep for days",
  keepHint: "The last good backup of a base is never deleted.",
  recipient: "Encrypt for",
  recipientHint: [
    "The public key of an age identity, age1…; whoever has the identity opens the archives, and nobody else.",
    "Empty: they are not encrypted.",
  ].join(" "),
  attachments: "With attachments",
  test: "Test the destination",
  tested: "An object was written, read and deleted",
  save: "Save",
  saved: "Backups are set up",
  switchOff: "Switch off",
  switchOffTitle: "Switch backups off?",
  switchOffBody: "The key is forgotten. What is in the bucket stays there, and nothing is deleted from it any more.",
  switchedOff: "Backups are off",
  runs: "Last backups",
  runsBody: "The latest first. A good one was restored, and is what its manifest says.",
  now: "Back up now",
  begun: (count: number) => {
    if (count === 0) return "All bases are being backed up already";
    return count === 1 ? "1 backup has begun" : `${count} backups have begun`;
  },
  empty: "No backups yet",
  states: { running: "Running", ok: "Good", failed: "Failed" } as Record<string, string | undefined>,
  counts: (tables: number, records: number, files: number) =>
    [
      tables === 1 ? "1 table" : `${tables} tables`,
      records === 1 ? "1 record" : `${records} records`,
      files === 1 ? "1 file" : `${files} files`,
    ].join(", "),
  encrypted: "encrypted",
  deleted: "deleted from the bucket",
};
