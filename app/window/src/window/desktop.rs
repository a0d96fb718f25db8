//! Light or dark as a Linux desktop says: neither X11 nor Wayland tell a window, the settings portal does, and tells
//! changes, too.
//!
//! XDG Desktop Portal, `org.freedesktop.portal.Settings`: the value `color-scheme` in the namespace
//! `org.freedesktop.appearance` is 1 for dark, 2 for light and 0 where the person has no preference.

use std::pin::Pin;

use egui::{Context, Theme};
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, Proxy};

const NAMESPACE: &str = "org.freedesktop.appearance";
const KEY: &str = "color-scheme";

/// Follows the desktop in a thread of its own as long as the window is there. Where there is no portal, nothing happens.
pub(crate) fn follow_theme(ctx: &Context) {
    let ctx = ctx.clone();
    // Without a thread the theme is the one that the person chooses.
    let _ = std::thread::Builder::new().name("desktop theme".to_owned()).spawn(move || {
        let tell = |theme| {
            ctx.options_mut(|options| options.fallback_theme = theme);
            ctx.request_repaint();
        };
        // A desktop without a portal is no error.
        let _ = zbus::block_on(async { follow(&Connection::session().await?, tell).await });
    });
}

/// Tells the theme and every change of it, until the connection breaks off.
async fn follow(connection: &Connection, mut tell: impl FnMut(Theme)) -> zbus::Result<()> {
    let (service, path) = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop");
    let portal = Proxy::new(connection, service, path, "org.freedesktop.portal.Settings").await?;
    // Listening first: no change falls between asking and listening.
    let mut changes = portal.receive_signal("SettingChanged").await?;
    let now: OwnedValue = portal.call("Read", &(NAMESPACE, KEY)).await?;
    if let Some(theme) = theme_of(&now) {
        tell(theme);
    }
    while let Some(message) = next(&mut changes).await {
        let Ok((namespace, key, value)) = message.body().deserialize::<(String, String, OwnedValue)>() else {
            continue;
        };
        if let Some(theme) = theme_of(&value).filter(|_| namespace == NAMESPACE && key == KEY) {
            tell(theme);
        }
    }
    Ok(())
}

async fn next(changes: &mut zbus::proxy::SignalStream<'_>) -> Option<zbus::Message> {
    use futures_core::Stream;
    std::future::poll_fn(|cx| Pin::new(&mut *changes).poll_next(cx)).await
}

/// Theme in a value of the portal, which wraps it once or twice. No preference means light, as on the desktops themselves.
fn theme_of(value: &Value<'_>) -> Option<Theme> {
    match value {
        Value::Value(inner) => theme_of(inner),
        Value::U32(1) => Some(Theme::Dark),
        Value::U32(_) => Some(Theme::Light),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_understood_however_they_are_wrapped() {
        let wrapped = |number: u32| Value::Value(Box::new(Value::Value(Box::new(Value::U32(number)))));
        assert_eq!(theme_of(&wrapped(1)), Some(Theme::Dark));
        assert_eq!(theme_of(&wrapped(2)), Some(Theme::Light));
        assert_eq!(theme_of(&Value::U32(0)), Some(Theme::Light));
        assert_eq!(theme_of(&Value::Str("dark".into())), None);
    }
}
