"""Addresses of the lending API."""

from django.urls import path

from loans import api, calendar_api

app_name = "loans-api"
urlpatterns = [
    path("loans/", api.Loans.as_view(), name="loans"),
    path("check-ins/", api.CheckIns.as_view(), name="check-ins"),
    path("renewals/", api.Renewals.as_view(), name="renewals"),
    path("calendar/days/", calendar_api.Days.as_view(), name="calendar-days"),
    path("calendar/openings/", calendar_api.Openings.as_view(), name="calendar-openings"),
    path("calendar/openings/<int:pk>/", calendar_api.OneOpening.as_view(), name="calendar-opening"),
    path("calendar/closures/", calendar_api.Closures.as_view(), name="calendar-closures"),
    path("calendar/closures/<int:pk>/", calendar_api.OneClosure.as_view(), name="calendar-closure"),
]
