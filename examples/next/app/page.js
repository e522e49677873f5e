export default function Page() {
  return (
    <main>
      <script type="module" src="/funding/widget/funding-application.js" async />
      <funding-application heading-level="1" suppressHydrationWarning>
        If the form doesn’t appear, reload the page or call us.
      </funding-application>
    </main>
  );
}
