internal import Bridgehead

/// A phone to look at pages on, with the numbers of the real one, in CSS pixels.
struct PhoneDevice: Sendable {
    struct Size: Hashable, Sendable {
        var width: Int
        var height: Int
    }

    struct Insets: Hashable, Sendable {
        var top = 0
        var right = 0
        var bottom = 0
        var left = 0
    }

    /// What differs with the way it is held: the page's area, which the toolbar leaves, and what cutout and corners take.
    struct Held: Sendable {
        var page: Size
        var safeArea: Insets
        /// What of that lies over the page's area.
        var pageInsets = Insets()
    }

    enum Platform: String, Sendable { case ios, android }
    enum Cutout: String, Sendable { case island, hole, none }

    let id: String
    let name: String
    let platform: Platform
    let size: Size
    let scale: Double
    let upright: Held
    let rotated: Held
    let cornerRadius: Int
    let cutout: Cutout

    static let all = [iPhone15, pixel7, iPhoneSE]

    static let iPhone15 = PhoneDevice(
        id: "iphone-15", name: "iPhone 15", platform: .ios, size: Size(width: 393, height: 852), scale: 3,
        upright: Held(page: Size(width: 393, height: 659), safeArea: Insets(top: 59, bottom: 34)),
        rotated: Held(
            page: Size(width: 734, height: 343), safeArea: Insets(right: 59, bottom: 21, left: 59),
            pageInsets: Insets(bottom: 21)),
        cornerRadius: 55, cutout: .island)

    static let pixel7 = PhoneDevice(
        id: "pixel-7", name: "Pixel 7", platform: .android, size: Size(width: 412, height: 915), scale: 2.625,
        upright: Held(page: Size(width: 412, height: 784), safeArea: Insets(top: 52, bottom: 24)),
        rotated: Held(page: Size(width: 863, height: 308), safeArea: Insets(top: 24, bottom: 24, left: 52)),
        cornerRadius: 34, cutout: .hole)

    static let iPhoneSE = PhoneDevice(
        id: "iphone-se", name: "iPhone SE", platform: .ios, size: Size(width: 320, height: 568), scale: 2,
        upright: Held(page: Size(width: 320, height: 460), safeArea: Insets(top: 20)),
        rotated: Held(page: Size(width: 568, height: 276), safeArea: Insets()), cornerRadius: 0, cutout: .none)

    func held(isRotated: Bool) -> Held { isRotated ? rotated : upright }

    func json(isRotated: Bool) -> JSON {
        let held = held(isRotated: isRotated)
        let (width, height) = isRotated ? (size.height, size.width) : (size.width, size.height)
        let insets = held.safeArea
        return [
            "id": JSON(id), "name": JSON(name), "width": JSON(width), "height": JSON(height),
            "scale": JSON(scale) ?? 1, "page": ["width": JSON(held.page.width), "height": JSON(held.page.height)],
            "safeArea": [
                "top": JSON(insets.top), "right": JSON(insets.right), "bottom": JSON(insets.bottom),
                "left": JSON(insets.left),
            ],
            "cornerRadius": JSON(cornerRadius), "cutout": JSON(cutout.rawValue),
        ]
    }
}
