/** The mark: a row of houses under one roofline. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <path d="M2 14.5 7 9l5 5.5V28H2z" fill="#0f6b5c" />
      <path d="M11 10.5 16 4l5 6.5V28H11z" fill="#14917b" />
      <path d="M20 14.5 25 9l5 5.5V28H20z" fill="#0a4a40" />
      <path d="M14.2 28v-6.2a1.8 1.8 0 0 1 3.6 0V28z" fill="#f6d58a" />
      <path d="M14.4 13h3.2v3.2h-3.2zM5.6 17h2.8v2.8H5.6zM23.6 17h2.8v2.8h-2.8z" fill="#fff" fillOpacity=".85" />
    </svg>
  );
}
