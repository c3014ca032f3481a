/** Views of formats that few requests ask for: fetched when one is opened. */
export { AttributesView } from "./attributes-view.tsx";
export { BrandView } from "./brand-view.tsx";
export { ChangeView } from "./change-view.tsx";
export { CitedView } from "./cited-view.tsx";
export { EvidenceView } from "./evidence-view.tsx";
export { MediaView } from "./media-view.tsx";
export { MenuView } from "./menu-view.tsx";
export { PageView } from "./page-view.tsx";
export { PickView } from "./pick-view.tsx";
export { ProductView } from "./product-view.tsx";
