"""Addresses of the calendar: under /desk/calendar/."""

from django.urls import path

from loans import calendar_views as views

urlpatterns = [
    path("", views.calendar, name="calendar"),
    path("openings/new/", views.add_opening, name="opening-add"),
    path("openings/<int:pk>/", views.change_opening, name="opening-change"),
    path("openings/remove/", views.remove_openings, name="openings-remove"),
    path("closures/new/", views.add_closure, name="closure-add"),
    path("closures/<int:pk>/", views.change_closure, name="closure-change"),
    path("closures/<int:pk>/lift/", views.lift_closure, name="closure-lift"),
    path("holidays/", views.holidays, name="holidays"),
    path("holidays/close/", views.close_on_holidays, name="holidays-close"),
]
