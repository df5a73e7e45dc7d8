// TypeScript with JSX
import * as React from "react";
type Props = { title: string; items?: number[] };
function View<T>({ title, items = [] }: Props): JSX.Element {
  const list = items.map((item: number) => <li key={item}>{item as any}</li>);
  return <div className="view" {...{ title }}>text {list}<br /><></></div>;
}
export default View;
