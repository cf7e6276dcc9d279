"""Addresses of holds, bookings and transfers, below the desk's."""

from django.urls import path

from loans import booking_views, hold_views

urlpatterns = [
    path("holds/", hold_views.hold_shelf, name="holds"),
    path("holds/expire/", hold_views.expire, name="holds-expire"),
    path("holds/game/<int:game>/", hold_views.queue, name="hold-queue"),
    path("holds/<int:pk>/move/", hold_views.move, name="hold-move"),
    path("holds/<int:pk>/cancel/", hold_views.cancel, name="hold-cancel"),
    path("holds/<int:pk>/shelve/", hold_views.shelve, name="hold-shelve"),
    path("holds/<int:pk>/send/", booking_views.send_for, name="hold-send"),
    path("bookings/", booking_views.bookings, name="bookings"),
    path("bookings/<int:pk>/", booking_views.booking, name="booking"),
    path("transfers/", booking_views.transfers_page, name="transfers"),
    path("me/hold/<int:game>/", hold_views.my_hold, name="my-hold"),
    path("me/holds/<int:pk>/cancel/", hold_views.my_cancel, name="my-hold-cancel"),
]
